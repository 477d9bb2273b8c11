package record

// elementALine lays out a compact JSON object: a line for each of its values,
// and for each element of those that are lists. Two thirds of the size of
// indented JSON for a summary, and a metric is one line for grep and diff.
func elementALine(compact []byte) []byte {
	out := make([]byte, 0, len(compact)+len(compact)/16)
	depth, list, quoted := 0, false, false
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		out = append(out, c)
		switch {
		case quoted && c == '\\':
			i++
			out = append(out, compact[i])
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth == 2 {
				list = c == '['
			}
			if next := compact[i+1]; (depth == 1 || depth == 2 && list) && next != ']' && next != '}' {
				out = newLine(out, depth)
			}
		case c == '}' || c == ']':
			if prev := compact[i-1]; (depth == 1 || depth == 2 && list) && prev != '[' && prev != '{' {
				out = append(newLine(out[:len(out)-1], depth-1), c)
			}
			depth--
		case c == ',' && (depth == 1 || depth == 2 && list):
			out = newLine(out, depth)
		case c == ':' && depth == 1:
			out = append(out, ' ')
		}
	}
	return append(out, '\n')
}

func newLine(out []byte, depth int) []byte {
	out = append(out, '\n')
	for range depth {
		out = append(out, "  "...)
	}
	return out
}
