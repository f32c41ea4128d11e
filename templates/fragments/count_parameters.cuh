,
    const void* count, unsigned int count_bytes, int counts_columns