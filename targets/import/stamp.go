package importer

import (
	"time"
)

const second = 1_000_000 // microseconds

// parseCLF reads 10/Oct/2000:13:55:36 -0700. The offset makes it an instant, so
// that a change to daylight-saving time needs no rule.
func parseCLF(v []byte) (int64, bool) {
	if len(v) != 26 || v[2] != '/' || v[6] != '/' || v[11] != ':' || v[20] != ' ' {
		return 0, false
	}
	day, ok1 := parseDigits(v[:2])
	year, ok2 := parseDigits(v[7:11])
	month := monthOf(v[3:6])
	clock, ok3 := parseClock(v[12:20])
	offset, ok4 := parseOffset(v[21:])
	if !ok1 || !ok2 || !ok3 || !ok4 || month == 0 || day < 1 || day > 31 {
		return 0, false
	}
	return (daysTo(year, month, day)*86400 + clock - offset) * second, true
}

// parseISO reads 2000-10-10T13:55:36-07:00, with or without a fraction.
func parseISO(v []byte) (int64, bool) {
	t, err := time.Parse(time.RFC3339Nano, string(v))
	return t.UnixMicro(), err == nil && plausible(t)
}

// plausible refuses what would not fit into microseconds.
func plausible(t time.Time) bool { return t.Year() >= 1970 && t.Year() < 10000 }

// parseClock reads 13:55:36 as seconds.
func parseClock(v []byte) (int64, bool) {
	if len(v) != 8 || v[2] != ':' || v[5] != ':' {
		return 0, false
	}
	h, ok1 := parseDigits(v[:2])
	m, ok2 := parseDigits(v[3:5])
	s, ok3 := parseDigits(v[6:])
	return h*3600 + m*60 + s, ok1 && ok2 && ok3 && h < 24 && m < 60 && s <= 60
}

// parseOffset reads -0700 as seconds.
func parseOffset(v []byte) (int64, bool) {
	if len(v) != 5 || v[0] != '+' && v[0] != '-' {
		return 0, false
	}
	h, ok1 := parseDigits(v[1:3])
	m, ok2 := parseDigits(v[3:])
	seconds := h*3600 + m*60
	if v[0] == '-' {
		seconds = -seconds
	}
	return seconds, ok1 && ok2
}

// monthOf returns 1 for Jan; 0 for none.
func monthOf(v []byte) int64 {
	switch string(v) {
	case "Jan":
		return 1
	case "Feb":
		return 2
	case "Mar":
		return 3
	case "Apr":
		return 4
	case "May":
		return 5
	case "Jun":
		return 6
	case "Jul":
		return 7
	case "Aug":
		return 8
	case "Sep":
		return 9
	case "Oct":
		return 10
	case "Nov":
		return 11
	case "Dec":
		return 12
	}
	return 0
}

// daysTo counts the days from 1970 to a day of the Gregorian calendar, with
// years that begin in March (Howard Hinnant, "chrono-Compatible Low-Level Date
// Algorithms", days_from_civil). It is a tenth of the time of time.Date.
func daysTo(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	yearDay := (153*(month-3)+2)/5 + day - 1
	return 365*year + year/4 - year/100 + year/400 + yearDay - 719468
}

// parseSeconds reads 1646861401.524 as microseconds.
func parseSeconds(v []byte) (int64, bool) {
	whole, fraction := v, []byte(nil)
	for i, c := range v {
		if c == '.' {
			whole, fraction = v[:i], v[i+1:]
			break
		}
	}
	seconds, ok := parseDigits(whole)
	if !ok || seconds > 253_402_300_799 { // the end of the year 9999
		return 0, false
	}
	micro, unit := int64(0), int64(second/10)
	for _, c := range fraction {
		if c < '0' || c > '9' {
			return 0, false
		}
		micro += int64(c-'0') * unit
		unit /= 10
	}
	return seconds*second + micro, true
}

// parseDigits reads a whole number of at most 18 digits.
func parseDigits(v []byte) (n int64, ok bool) {
	if len(v) == 0 || len(v) > 18 {
		return 0, false
	}
	for _, c := range v {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}
