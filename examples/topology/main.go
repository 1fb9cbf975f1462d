// Topology prints what a machine is made of and what of it this process may use, as a
// tree that says more than lstopo's: classes of cores, what's left out and why, the
// instruction set, and where teams would place their workers.
//
// What to look at:
//
//   - topology.Detect is all that a program needs; topology.Read does the same for the
//     files of another machine, below -root.
//   - All numbers are OS ids, as taskset and numactl take them.
//   - A bug report about a machine that is read wrongly needs the file that -gather
//     writes. It has no names and no serial numbers, and -root reads it.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/bench/cli"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
)

const about = `Prints the machine: packages, nodes, caches, cores and CPUs, distances, what's allowed.`

func main() { cli.Main("topology", run) }

func run(_ context.Context, args []string, o cli.IO) error {
	f := flag.NewFlagSet("topology", flag.ContinueOnError)
	root := f.String("root", "", "read the machine whose files lie below this `folder`, or a file that -gather wrote")
	asJSON := f.Bool("json", false, "print one JSON object")
	gather := f.String("gather", "", "write this machine's files into one text `file`, for a bug report")
	if err := cli.Parse(f, args, o, about); err != nil {
		return err
	}
	if *gather != "" {
		if *root != "" || *asJSON {
			return cli.Usagef("-gather goes with no other flag")
		}
		return cli.WriteFile(*gather, topology.Gather)
	}
	m, err := read(*root)
	if err != nil {
		return err
	}
	if *asJSON {
		text, err := json.Marshal(m)
		if err == nil {
			_, err = fmt.Fprintf(o.Out, "%s\n", text)
		}
		return err
	}
	return print(o.Out, m)
}

// read returns the machine below root, or this one.
func read(root string) (*topology.Machine, error) {
	if root == "" {
		return topology.Detect()
	}
	info, err := os.Stat(root)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return topology.Read(os.DirFS(root), nil)
	}
	file, err := os.Open(root)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return topology.ReadArchive(file)
}

func print(w io.Writer, m *topology.Machine) error {
	var b strings.Builder
	b.WriteString(m.String())

	if len(m.Nodes) > 1 {
		fmt.Fprintf(&b, "\nDistances from a row's node to a column's\n%s", distances(m))
	}

	fmt.Fprintf(&b, "\nAllowed: %s, memory of %s", these("CPU", m.Allowed), these("node", m.AllowedNodes))
	if m.Quota > 0 {
		fmt.Fprintf(&b, ", CPU time of %.3g CPUs", m.Quota)
	}
	b.WriteByte('\n')
	for _, l := range m.LeftOut() {
		fmt.Fprintf(&b, "Left out: %s, %s\n", these("CPU", l.CPUs), l.Reason)
	}

	b.WriteByte('\n')
	if m.Live {
		fmt.Fprintf(&b, "Instruction set: %v, of %s\n", asm.Active(), strings.Trim(fmt.Sprint(asm.Available()), "[]"))
	} else if m.Features != nil {
		fmt.Fprintf(&b, "Instruction sets: %s\n", strings.Join(m.Features, " "))
	}
	for _, p := range []team.Placement{team.Cores, team.NUMA} {
		cpus, err := p.CPUs(m)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "Placement :%-6v workers on CPUs %s\n", p, inOrder(cpus))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// these names the members of a set: "CPU 7", "CPUs 5-6".
func these(what string, s topology.Set) string {
	if s.Len() != 1 {
		what += "s"
	}
	return what + " " + s.String()
}

// distances returns the matrix with the nodes' ids around it.
func distances(m *topology.Machine) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%5s", "")
	for _, to := range m.Nodes {
		fmt.Fprintf(&b, "%5d", to.ID)
	}
	b.WriteByte('\n')
	for _, from := range m.Nodes {
		fmt.Fprintf(&b, "%5d", from.ID)
		for _, to := range m.Nodes {
			d, err := m.Distance(from.ID, to.ID)
			if err != nil {
				return "unknown\n"
			}
			fmt.Fprintf(&b, "%5d", d)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// inOrder returns ids in their order, with runs as ranges: "0,2,4-7,1".
func inOrder(ids []int) string {
	var parts []string
	for i := 0; i < len(ids); {
		j := i + 1
		for j < len(ids) && ids[j] == ids[j-1]+1 {
			j++
		}
		part := strconv.Itoa(ids[i])
		if j > i+1 {
			part += "-" + strconv.Itoa(ids[j-1])
		}
		parts = append(parts, part)
		i = j
	}
	return strings.Join(parts, ",")
}
