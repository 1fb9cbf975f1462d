package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/numateam/numateam/bench/cli"
)

// blurFile runs the program on an image and returns what it wrote.
func blurFile(t *testing.T, m image.Image, args ...string) image.Image {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.png"), filepath.Join(dir, "out.png")
	write(t, in, m)
	if err := run(context.Background(), append([]string{"-in", in, "-out", out}, args...), cli.IO{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	result, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func write(t *testing.T, name string, m image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestEveryKindOfPicture(t *testing.T) {
	box := image.Rect(0, 0, 9, 7)
	grey, grey16 := image.NewGray(box), image.NewGray16(box)
	rgba, nrgba, deep := image.NewRGBA(box), image.NewNRGBA(box), image.NewNRGBA64(box)
	paletted := image.NewPaletted(box, color.Palette{color.Black, color.White})
	for y := range 7 {
		for x := range 9 {
			// A white pixel in the middle of black: 255/9 after the blur, as two divisions round it.
			if x == 4 && y == 3 {
				grey.Set(x, y, color.White)
				grey16.Set(x, y, color.White)
				rgba.Set(x, y, color.White)
				nrgba.Set(x, y, color.White)
				deep.Set(x, y, color.White)
				paletted.Set(x, y, color.White)
			} else {
				rgba.Set(x, y, color.Black)
				nrgba.Set(x, y, color.Black)
				deep.Set(x, y, color.Black)
			}
		}
	}
	for _, c := range []struct {
		m    image.Image
		want color.Color // of the pixel in the middle
	}{
		{grey, color.Gray{Y: 28}},
		{grey16, color.Gray16{Y: 7281}},
		{rgba, color.RGBA{R: 28, G: 28, B: 28, A: 255}},
		{nrgba, color.RGBA{R: 28, G: 28, B: 28, A: 255}},
		{deep, color.RGBA64{R: 7281, G: 7281, B: 7281, A: 65535}},
		{paletted, color.RGBA{R: 28, G: 28, B: 28, A: 255}},
	} {
		got := blurFile(t, c.m)
		if got.Bounds() != box || got.At(4, 3) != c.want || got.At(3, 2) != c.want {
			t.Errorf("%T: %v in the middle, want %v", c.m, got.At(4, 3), c.want)
		}
	}
	if got := blurFile(t, grey, "-radius", "2", "-border", "valid").Bounds(); got != image.Rect(0, 0, 5, 3) {
		t.Errorf("valid: %v", got)
	}
}

func TestHiddenColorsDoNotLeak(t *testing.T) {
	// The left half is red, the right half green that can't be seen.
	m := image.NewNRGBA(image.Rect(0, 0, 20, 10))
	for y := range 10 {
		for x := range 20 {
			m.SetNRGBA(x, y, color.NRGBA{R: 255, A: 255})
			if x >= 10 {
				m.SetNRGBA(x, y, color.NRGBA{G: 255})
			}
		}
	}
	for _, args := range [][]string{nil, {"-sigma", "2"}, {"-radius", "3"}} {
		got := blurFile(t, m, args...)
		seen := false
		for x := range 20 {
			c := color.NRGBAModel.Convert(got.At(x, 5)).(color.NRGBA)
			if c.G != 0 || c.A > 0 && c.R != 255 {
				t.Errorf("%v: at %d the color is %v", args, x, c)
			}
			seen = seen || c.A != 0 && c.A != 255
		}
		if !seen {
			t.Errorf("%v: the edge isn't blurred", args)
		}
	}
}

// header returns a PNG that says it's of that size, and then ends.
func header(width, height uint32) []byte {
	chunk := append([]byte("IHDR"), binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)...)
	chunk = append(chunk, 8, 2, 0, 0, 0)
	b := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), 13)
	b = append(b, chunk...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(chunk))
}

func TestBadFilesAndFlags(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	tiny := filepath.Join(dir, "tiny.png")
	write(t, tiny, image.NewGray(image.Rect(0, 0, 2, 2)))
	out := filepath.Join(dir, "out.png")
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"-in", filepath.Join(dir, "none.png")}, "no such file", cli.Failed},
		{[]string{"-in", file("text.png", []byte("not a picture"))}, "not a PNG", cli.Failed},
		{[]string{"-in", file("short.png", header(30, 30))}, "EOF", cli.Failed},
		{[]string{"-in", file("huge.png", header(2000000, 2000000))}, "more than there is", cli.Failed},
		{[]string{"-in", tiny, "-border", "valid"}, "nothing is left", cli.Failed},
		{[]string{"-in", tiny, "-border", "sideways"}, "sideways", cli.BadUsage},
		{[]string{"-in", tiny, "-sigma", "1", "-radius", "1"}, "one of them", cli.BadUsage},
		{[]string{"-in", tiny, "-sigma", "NaN"}, "-sigma", cli.BadUsage},
	} {
		var errs strings.Builder
		err := run(context.Background(), append(c.args, "-out", out), cli.IO{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}})
		if code := cli.Exit("blur", err, &errs); code != c.code || !strings.Contains(errs.String(), c.want) || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%v: code %d, %q", c.args[2:], code, errs.String())
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*out*")); len(left) > 0 {
		t.Error("left behind:", left)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".blur*")); len(left) > 0 {
		t.Error("left behind:", left)
	}
}

func TestInterruptLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	err := run(ctx, []string{"-size", "64", "-out", filepath.Join(dir, "out.png")}, cli.IO{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Error("left behind:", files)
	}
}

// Drawing a large picture takes seconds, and so does taking it apart.
func TestInterruptWhileDrawing(t *testing.T) {
	const rows = 100
	drawn, err := draw(&interrupted{t.Context(), rows}, 10, rows)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := draw(&interrupted{t.Context(), rows / 2}, 10, rows); !errors.Is(err, context.Canceled) {
		t.Error("drawing:", err)
	}
	if _, err := split(&interrupted{t.Context(), rows / 2}, nil, drawn); !errors.Is(err, context.Canceled) {
		t.Error("taking apart:", err)
	}
}

// An interrupted context ends after so many questions.
type interrupted struct {
	context.Context
	after int
}

func (c *interrupted) Err() error {
	if c.after--; c.after < 0 {
		return context.Canceled
	}
	return nil
}

func TestTheOldFileStaysWhenTheWriteFails(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "none", "out.png")
	if err := run(context.Background(), []string{"-size", "16", "-out", out}, cli.IO{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}); err == nil {
		t.Error("no error")
	}
}
