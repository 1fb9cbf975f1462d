// Package wire is what the launcher on the host and init in the guest agree
// on: the configuration that init finds in its initramfs, and the frames that
// init writes to the data port, a second serial line that nothing else uses.
package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"
	"time"
)

// ConfigPath is where init finds its Config, as JSON.
const ConfigPath = "/vm/config.json"

// Config tells init what to set up and what to run.
type Config struct {
	Port      string        // the data port's device
	Programs  []Program     // what to run, one after the other
	Env       []string      // their whole environment
	UID       int           // run them as this user and group; 0 is root
	Now       time.Time     // the host's clock
	Timeout   time.Duration // for each: then SIGQUIT, and later SIGKILL
	Offline   []int         // CPUs to take offline first
	Cpus      string        // cpuset.cpus of the programs' cgroup, or ""
	Mems      string        // cpuset.mems of the programs' cgroup, or ""
	MemoryMax string        // memory.max of the programs' cgroup, or ""
	Folders   []string      // folders to make first, for anyone to write to
	Outputs   []string      // files and folders to send back at the end
}

// Program is one program to run.
type Program struct {
	Path string   // in the guest
	Args []string // argv[0] excluded
	Dir  string   // its working directory
}

// Kind is a frame's type.
type Kind byte

const (
	Hello  Kind = 'H' // init is up; payload: uptime in milliseconds, uint32
	Start  Kind = 'S' // a program is about to start; payload: as for Hello
	Stdout Kind = 'O' // its output
	Stderr Kind = 'E'
	File   Kind = 'F' // payload: path, 0 byte, the next piece of its content
	Error  Kind = 'R' // init could not do its work; payload: why
	Exit   Kind = 'X' // a program has ended; payload: Status
)

// Status is how a program ended.
type Status struct {
	Code     int32  // exit status, or -1
	Signal   int32  // the signal that killed it, or 0
	TimedOut bool   // killed because Config.Timeout passed
	Millis   uint32 // how long it ran
}

const (
	magic = 0x7e56
	// MaxPayload bounds a frame.
	MaxPayload = 1 << 16
)

// Writer writes frames; safe for concurrent use.
type Writer struct {
	mu sync.Mutex
	w  io.Writer
}

// NewWriter returns a Writer on w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Frame writes one frame.
func (w *Writer) Frame(k Kind, payload []byte) error {
	if len(payload) > MaxPayload {
		return fmt.Errorf("wire: payload of %d bytes", len(payload))
	}
	b := make([]byte, 0, len(payload)+11)
	b = binary.BigEndian.AppendUint16(b, magic)
	b = append(b, byte(k))
	b = binary.BigEndian.AppendUint32(b, uint32(len(payload)))
	b = append(b, payload...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[2:]))
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.w.Write(b)
	return err
}

// Stream returns an io.Writer whose writes become frames of kind k.
func (w *Writer) Stream(k Kind) io.Writer { return stream{w, k} }

type stream struct {
	w *Writer
	k Kind
}

func (s stream) Write(p []byte) (int, error) {
	for n := 0; n < len(p); {
		m := min(len(p)-n, MaxPayload)
		if err := s.w.Frame(s.k, p[n:n+m]); err != nil {
			return n, err
		}
		n += m
	}
	return len(p), nil
}

// SendFile sends the file at path in pieces.
func (w *Writer) SendFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := append([]byte(path), 0)
	buf := make([]byte, MaxPayload-len(head))
	for first := true; ; first = false {
		n, err := io.ReadFull(f, buf)
		if n > 0 || first {
			if err := w.Frame(File, append(head[:len(head):len(head)], buf[:n]...)); err != nil {
				return err
			}
		}
		if err != nil {
			if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil
			}
			return err
		}
	}
}

// Reader reads frames.
type Reader struct{ r *bufio.Reader }

// NewReader returns a Reader on r.
func NewReader(r io.Reader) *Reader { return &Reader{bufio.NewReaderSize(r, MaxPayload)} }

// Frame reads the next frame. It returns io.EOF at a clean end.
func (r *Reader) Frame() (Kind, []byte, error) {
	var h [7]byte
	if _, err := io.ReadFull(r.r, h[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(h[3:])
	if binary.BigEndian.Uint16(h[:]) != magic || n > MaxPayload {
		return 0, nil, fmt.Errorf("wire: bad frame header % x", h)
	}
	p := make([]byte, n+4)
	if _, err := io.ReadFull(r.r, p); err != nil {
		return 0, nil, io.ErrUnexpectedEOF
	}
	sum := crc32.Update(crc32.ChecksumIEEE(h[2:]), crc32.IEEETable, p[:n])
	if binary.BigEndian.Uint32(p[n:]) != sum {
		return 0, nil, errors.New("wire: bad checksum")
	}
	return Kind(h[2]), p[:n], nil
}
