// Package trace is the harness's side of OpenTelemetry: it draws the ids of
// requests before a block, builds their spans and metrics after it from what
// was recorded, and delivers both to a collector over OTLP, counting what
// arrived.
//
// Nothing of it runs while a block is measured. It exports by calls that
// return when the collector has answered, not by a batch processor in the
// background, since that drops spans silently and takes CPU when it likes.
package trace
