// Sorts the first rows of an array, as many as a number in memory says, or where counts_columns is not 0 the first items of each row: row r is the
// `columns` items from r * stride on, and is sorted as SortRow says, by as many blocks as all rows take. The number has count_bytes bytes, 4 or 8; more
// than there are count as all. The others are not touched, and blocks without a row end at once.
