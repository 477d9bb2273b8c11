package main

// version of switchback, as the manifest of a run has it.
const version = "0.1.0"
