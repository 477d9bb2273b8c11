package experiment

// Command starts a server of the user's own: a string, or the map form. In its
// texts {port}, {admin_port}, {dir}, {origin}, {cpus}, {build} and {switchback}
// are replaced.
type Command struct {
	Run         string            `yaml:"run" jsonschema:"required"`
	Cwd         string            `yaml:"cwd,omitempty"` // folder in which it runs; default {dir}
	Env         map[string]string `yaml:"env,omitempty"`
	Files       map[string]string `yaml:"files,omitempty"`       // name → text/template, rendered into {dir}
	Render      []string          `yaml:"render,omitempty"`      // files copied to {dir}/1/NAME, {dir}/2/NAME, …, with their placeholders replaced
	Placeholder string            `yaml:"placeholder,omitempty"` // around words in Render: @@ makes {port} @@port@@
	Build       *Build            `yaml:"build,omitempty"`
	Ready       string            `yaml:"ready,omitempty"`        // tcp (default), an HTTP path, or "output: TEXT"
	ReadyWithin Duration          `yaml:"ready_within,omitempty"` // default 10s
	Stop        string            `yaml:"stop,omitempty"`         // signal; default TERM
	Grace       Duration          `yaml:"grace,omitempty"`        // before KILL; default 5s
	Tool        string            `yaml:"tool,omitempty"`         // program that must be there
	Package     string            `yaml:"package,omitempty"`      // what to install for it
	Optional    bool              `yaml:"optional,omitempty"`     // without its tool the arm is left out; so is one taken by Arm.From
}

// Build makes the program that {build} stands for: a Go package as it was at
// a commit.
type Build struct {
	Git string `yaml:"git,omitempty"` // repository; default .
	Ref string `yaml:"ref" jsonschema:"required"`
	Go  string `yaml:"go,omitempty"` // package; default .
}

// URL is a running server: a string, or the map form with where its processes
// are found. Without them its memory and CPU are not measured.
type URL struct {
	At       string `yaml:"at" jsonschema:"required"` // http://HOST:PORT or https://HOST:PORT
	Insecure bool   `yaml:"insecure,omitempty"`       // https: any certificate will do
	PID      int    `yaml:"pid,omitempty"`            // root of its process tree
	PIDFile  string `yaml:"pidfile,omitempty"`        // file with that number
	Cgroup   string `yaml:"cgroup,omitempty"`         // folder of its cgroup
}
