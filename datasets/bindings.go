package datasets

import "strconv"

// minBinding is the room that the shortest binding takes.
const minBinding = len(`"SECRET_00":"",`) + 1

// binder draws the bindings of a project's deployments so that the entries of
// its routing table have the asked size on average. Half of an entry's bytes
// are bindings that all deployments of the project share.
type binder struct {
	average int
	shared  []Binding
	offset  int // of the latest entry from the average
	mirror  bool
	debt    int // bytes that earlier entries were too short
}

// newProject draws the bindings that the deployments of a project share.
func (b *binder) newProject(draws *Draws) {
	b.shared = nil
	for room := b.average / 2; room >= minBinding; {
		next := drawBinding(draws, len(b.shared), room)
		room -= next.entryBytes() + 1
		b.shared = append(b.shared, next)
	}
}

// bind gives the first stage of a deployment the bindings that bring its entry
// to a size between half and one and a half of the average.
func (b *binder) bind(draws *Draws, p *Project, d *Deployment) {
	want := b.size(draws)
	bare := p.entryBytes(d)
	room := want + b.debt - bare - len(`,"bindings":{`)
	var all []Binding
	for room >= minBinding {
		next := b.binding(draws, len(all), room)
		room -= next.entryBytes() + 1
		all = append(all, next)
	}
	d.Stages[0].Bindings = all
	b.debt += want - p.entryBytes(d)
}

// size draws the size of an entry. Every second one is as far from the average
// as the one before it, on the other side, so that small tables keep the
// average too.
func (b *binder) size(draws *Draws) int {
	if b.mirror = !b.mirror; b.mirror {
		b.offset = int(draws.Below(uint64(b.average)+1)) - b.average/2
	} else {
		b.offset = -b.offset
	}
	return b.average + b.offset
}

// binding returns the i-th binding of a deployment, of at most room bytes.
func (b *binder) binding(draws *Draws, i, room int) Binding {
	if i < len(b.shared) && b.shared[i].entryBytes()+1 <= room {
		return b.shared[i]
	}
	return drawBinding(draws, i, room)
}

// drawBinding draws the i-th binding of a stage. One that needs more than the
// room, which is at least minBinding, becomes a secret that fills it.
func drawBinding(draws *Draws, i, room int) Binding {
	number := strconv.Itoa(i)
	made := Binding{Name: "SECRET_" + number, Kind: "secret"}
	switch draws.Below(4) {
	case 0:
		made = Binding{Name: "KV_" + number, Kind: "kv", Value: hexText(draws, 32)}
	case 1:
		made = Binding{Name: "DB_" + number, Kind: "d1", Value: hexText(draws, 36)}
	case 2:
		made = Binding{Name: "VAR_" + number, Kind: "var", Value: tokenText(draws, 8+int(draws.Below(64)))}
	default:
		made.Value = tokenText(draws, 43)
	}
	if made.entryBytes()+1 > room {
		made = Binding{Name: "SECRET_" + number, Kind: "secret"}
		made.Value = tokenText(draws, max(0, room-1-made.entryBytes()))
	}
	return made
}
