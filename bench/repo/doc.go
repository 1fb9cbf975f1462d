// Package repo holds the tests of the repository as a whole: that the floors of
// the house hold, that README's programs compile and its links lead somewhere,
// that each public case has its test, and that unsafe stays where it is known.
package repo
