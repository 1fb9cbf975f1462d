package topology_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/numateam/numateam/topology"
)

// What the documentation calls misuse panics with a text that says what is wrong.
func TestPanicTexts(t *testing.T) {
	for name, f := range map[string]func(){
		"SetOf":           func() { topology.SetOf(3, -1) },
		"SetOf, above":    func() { topology.SetOf(1 << 16) },
		"With":            func() { topology.SetOf(3).With(-1) },
		"With, above":     func() { topology.Set{}.With(1 << 16) },
		"With, far above": func() { topology.Set{}.With(1 << 30) },
	} {
		func() {
			defer func() {
				if got, want := recover(), "topology: an id of a set is not from 0 to 65535"; got != want {
					t.Errorf("%s: panic %v, want %q", name, got, want)
				}
			}()
			f()
		}()
	}
}

// Errors say in one line what is wrong with which text or file.
func TestErrorTexts(t *testing.T) {
	parse := func(description string) error {
		_, err := topology.Parse(description)
		return err
	}
	archive := func(text string) error {
		_, err := topology.ReadArchive(strings.NewReader(text))
		return err
	}
	list := func(text string) error {
		_, err := topology.ParseSet(text)
		return err
	}
	read := func(files map[string]string, o *topology.ReadOptions) error {
		root := fstest.MapFS{}
		for name, text := range files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		_, err := topology.Read(root, o)
		return err
	}
	m, err := topology.Parse("node:2 core:1")
	if err != nil {
		t.Fatal(err)
	}
	distance := func(a, b int) error {
		_, err := m.Distance(a, b)
		return err
	}
	const cpus = "sys/devices/system/cpu/"
	for _, c := range []struct {
		err  error
		want string
	}{
		{list("0-x"), `topology: bad list "0-x": "0-x" is neither an id nor a range of ids up to 65535`},
		{list("1,3-2"), `topology: bad list "1,3-2": "3-2" is neither an id nor a range of ids up to 65535`},
		{list("65536"), `topology: bad list "65536": "65536" is neither an id nor a range of ids up to 65535`},
		{new(topology.Set).UnmarshalText([]byte("-1")), `topology: bad list "-1": "-1" is neither an id nor a range of ids up to 65535`},

		{parse(""), `topology: description "": no levels`},
		{parse("core:1 +"), `topology: description "core:1 +": no levels`},
		{parse("core"), `topology: description "core": "core" is not a level and a number, such as core:4`},
		{parse("socket:1"), `topology: description "socket:1": "socket:1" is not a level and a number, such as core:4`},
		{parse("core:0"), `topology: description "core:0": "core:0": the number must be from 1 to 8192`},
		{parse("core:4:2000"), `topology: description "core:4:2000": "core:4:2000": bad size or capacity`},
		{parse("cpu:2 core:2"), `topology: description "cpu:2 core:2": "core:2": a level comes once, core after the others and cpu last`},
		{parse("core:100 cpu:100"), `topology: description "core:100 cpu:100": more than 8192 CPUs`},
		{parse("core:5000 + core:5000"), `topology: description "core:5000 + core:5000": more than 8192 CPUs`},
		{parse("node:2000"), `topology: description "node:2000": more than 1024 nodes`},

		{archive("a tree"), `topology: not an archive of a machine's files`},
		{archive("numateam topology\naffinity x\n"), `topology: archive: affinity: "x" is not a set of ids`},
		{archive("numateam topology\n-- /etc/passwd --\n"), `topology: archive: "-- /etc/passwd --" is not a file's first line`},

		{read(nil, nil), "topology: no CPUs in " + cpus},
		{read(map[string]string{cpus + "cpu0/online": "1", cpus + "cpu1/online": "1"}, &topology.ReadOptions{Affinity: topology.SetOf(9)}),
			`topology: no CPU is left: online 0-1, affinity 9, cpuset 0-1`},
		{read(map[string]string{cpus + "online": "many"}, nil), `topology: ` + cpus + `online: "many" is not a set of ids`},

		{distance(0, 7), "topology: no node 7"},
		{distance(-1, 0), "topology: no node -1"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("error %v, want %s", c.err, c.want)
		}
	}
	if m, err = topology.Read(fstest.MapFS{
		cpus + "cpu0/online":                    {Data: []byte("1")},
		cpus + "cpu1/online":                    {Data: []byte("1")},
		"sys/devices/system/node/node0/cpulist": {Data: []byte("0")},
		"sys/devices/system/node/node1/cpulist": {Data: []byte("1")},
	}, nil); err != nil {
		t.Fatal(err)
	}
	if err := distance(0, 1); err == nil || err.Error() != "topology: distances are unknown" {
		t.Errorf("distance that no file tells: %v", err)
	}
}
