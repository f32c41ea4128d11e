
//
// How many items there are, the kernels read from memory, at arguments.count. The launches are for n items, the most.
