package gate

// checkSpans tells of spans that did not reach the collector. What was
// measured is not touched by that.
func (j *judge) checkSpans() {
	var made, delivered int64
	for _, b := range j.run.Blocks {
		if b.Spans != nil {
			made, delivered = made+b.Spans.Made, delivered+b.Spans.Delivered
		}
	}
	if lost := made - delivered; lost > 0 {
		j.note("%d of %d spans did not reach the collector", lost, made)
	}
}
