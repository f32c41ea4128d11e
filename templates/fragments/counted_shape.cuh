  const unsigned long long counted = sortsmith::number_at(count, count_bytes, 0);
  if (counts_columns == 0) {
    rows = counted < rows ? counted : rows;  //~ counted-rows
  } else {
    columns = counted < columns ? static_cast<unsigned int>(counted) : columns;  //~ counted-columns
  }
  if (columns == 0) return;
