// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
