// What depends on the type of element in the loops for matrices alone.

// v28 = the element at p, in all lanes; p += R8
#define BROADCAST(p) VLD1R.P (p)(R8), [V28.S4]
