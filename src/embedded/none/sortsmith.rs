// A bundle as of a build without NVRTC.
("0.0.0", &[])
