package routing

import "testing"

func TestRelative(t *testing.T) {
	for _, test := range []struct{ host, project, want string }{
		{"2b469e16.example.pages.dev", "example", "2b469e16"},
		{"example.pages.dev", "example", "@"},
		{"www.shop.example", "example", "www.shop.example"},
		// A label that holds a custom domain must not pass for it.
		{"www.shop.example.example.pages.dev", "example", "www.shop.example.example.pages.dev"},
		{"2b469e16.notexample.pages.dev", "example", "2b469e16.notexample.pages.dev"},
	} {
		if got := relative(test.host, test.project); got != test.want {
			t.Errorf("relative(%q, %q) = %q, want %q", test.host, test.project, got, test.want)
		}
	}
}
