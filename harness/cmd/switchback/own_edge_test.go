package main

import (
	"fmt"
	"hash/crc32"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// pickyServer answers 200 on port $1 except for one in $2 of the hostnames,
// which get status $3; 0: of none.
func pickyServer() {
	one, err := strconv.ParseUint(os.Args[2], 10, 32)
	if err != nil {
		panic(err)
	}
	status, err := strconv.Atoi(os.Args[3])
	if err != nil {
		panic(err)
	}
	err = http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if one > 0 && crc32.ChecksumIEEE([]byte(r.Host))%uint32(one) == 0 {
			w.WriteHeader(status)
		}
	}))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// nothingLeft is a command of scripts: no scratch folder is left in $1, and
// no process runs in one.
func nothingLeft(ts *testscript.TestScript, _ bool, args []string) {
	within := filepath.Join(ts.MkAbs(args[0]), "switchback-scratch-")
	folders, err := filepath.Glob(within + "*")
	ts.Check(err)
	if len(folders) > 0 {
		ts.Fatalf("folders are left: %v", folders)
	}
	processes, err := filepath.Glob("/proc/[0-9]*/cwd")
	ts.Check(err)
	for _, cwd := range processes {
		at, err := os.Readlink(cwd)
		if err == nil && strings.HasPrefix(trimDeleted(at), within) {
			ts.Fatalf("a process is left: %s in %s", cwd, at)
		}
	}
}

// trimDeleted removes what the kernel adds to the name of a folder that is gone.
func trimDeleted(path string) string {
	const mark = " (deleted)"
	if n := len(path) - len(mark); n > 0 && path[n:] == mark {
		return path[:n]
	}
	return path
}
