package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"switchback/results/units"
)

// usageError marks an error in what the user wrote: exit code 2.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// usage marks err as an error in what the user wrote; nil stays nil.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// commandLineError marks an error in the arguments of the program rather than
// in a file: the usage line helps.
type commandLineError struct{ error }

func (e commandLineError) Unwrap() error { return e.error }

// usagef is a formatted error in the arguments of the program.
func usagef(format string, args ...any) error {
	return usageError{commandLineError{fmt.Errorf(format, args...)}}
}

// complain writes an error, and below one about the command line how the
// command is called. started tells that the command's own code ran.
func complain(w io.Writer, cmd *cobra.Command, err error, started bool) {
	fmt.Fprintf(w, "switchback: %s\n", oneLine(err.Error()))
	var bad commandLineError
	if !errors.As(err, &bad) && started {
		return
	}
	line := cmd.UseLine()
	if !cmd.Runnable() {
		line = cmd.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(w, "usage: %s\n", line)
}

// oneLine puts cobra's suggestions of commands behind its error.
func oneLine(message string) string {
	said, near, found := strings.Cut(message, "\n\nDid you mean this?\n")
	if !found {
		return message
	}
	return said + "; did you mean " + strings.Join(strings.Fields(near), " or ") + "?"
}

// plainUsage makes every command say in plain words how it is called: flags
// without [=true|false], and arguments that do not fit named.
func plainUsage(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() == "bool" {
			f.Value = plainBool{f.Value}
		}
	})
	if check := cmd.Args; check != nil && !cmd.HasSubCommands() {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if check(cmd, args) == nil {
				return nil
			}
			return usagef("expected %s, got %s", arguments(cmd), units.Count(len(args), "argument"))
		}
	}
	for _, sub := range cmd.Commands() {
		plainUsage(sub)
	}
}

// plainBool is a bool flag whose usage pflag prints without [=true|false],
// since it hides that the flag may be given a value.
type plainBool struct{ pflag.Value }

// arguments returns the words for a command's arguments in its usage line.
func arguments(cmd *cobra.Command) string {
	_, words, found := strings.Cut(strings.TrimSuffix(cmd.Use, " [flags]"), " ")
	if !found {
		return "no argument"
	}
	return words
}

// flagError names the nearest valid flag beside an unknown one.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if near := nearestFlag(cmd, unknown.GetSpecifiedName()); near != "" {
			return usagef("%w; did you mean --%s?", err, near)
		}
	}
	return usagef("%w", err)
}

// nearestFlag returns the flag nearest to a name, "" if none is near.
func nearestFlag(cmd *cobra.Command, name string) string {
	// cobra's own search for commands serves flags as well.
	index := &cobra.Command{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		index.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	for index.SuggestionsMinimumDistance = 1; index.SuggestionsMinimumDistance <= 2; index.SuggestionsMinimumDistance++ {
		if near := index.SuggestionsFor(name); len(near) > 0 {
			return near[0]
		}
	}
	return ""
}
