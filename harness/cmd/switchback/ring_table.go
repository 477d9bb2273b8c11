package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"switchback/results/units"
)

// tableFlags choose the form of a table; text when neither is set.
type tableFlags struct{ json, csv bool }

func (f *tableFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.json, "json", false, "print a JSON array of objects, one for each row")
	flags.BoolVar(&f.csv, "csv", false, "print CSV")
}

// printTable prints rows of a struct type. The columns are its fields by their
// JSON names; those that hold lists are in the JSON form only.
func printTable[Row any](to io.Writer, form tableFlags, rows []Row) error {
	if form.json && form.csv {
		return usagef("--json and --csv exclude each other")
	}
	if form.json {
		encoder := json.NewEncoder(to)
		encoder.SetIndent("", "  ")
		return encoder.Encode(rows)
	}
	cells := [][]string{columnNames(reflect.TypeFor[Row]())}
	for _, row := range rows {
		cells = append(cells, cellsOf(reflect.ValueOf(row), form.csv))
	}
	if form.csv {
		return csv.NewWriter(to).WriteAll(cells)
	}
	aligned := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range cells {
		fmt.Fprintln(aligned, strings.Join(row, "\t")+"\t")
	}
	return aligned.Flush()
}

func columnNames(row reflect.Type) []string {
	var names []string
	for i := range row.NumField() {
		if field := row.Field(i); field.Type.Kind() != reflect.Slice {
			names = append(names, field.Tag.Get("json"))
		}
	}
	return names
}

// cellsOf formats the fields of a row: numbers in full, or for people with their
// units, which the names of columns begin or end with, and four digits.
func cellsOf(row reflect.Value, full bool) []string {
	var cells []string
	for i := range row.NumField() {
		name := row.Type().Field(i).Tag.Get("json")
		switch field := row.Field(i); {
		case field.Kind() == reflect.Slice:
		case !full && strings.HasPrefix(name, "bytes_") && field.CanInt():
			cells = append(cells, units.InBytes(float64(field.Int())))
		case !full && strings.HasSuffix(name, "_seconds") && field.CanFloat():
			cells = append(cells, units.Seconds(field.Float()))
		case field.Kind() == reflect.Float64 && !full:
			cells = append(cells, fmt.Sprintf("%.4g", field.Float()))
		default:
			cells = append(cells, fmt.Sprint(field.Interface()))
		}
	}
	return cells
}
