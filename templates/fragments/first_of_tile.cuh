    const unsigned long long second_rest = second_items - second_begin;
    const unsigned int least = count > second_rest ? count - static_cast<unsigned int>(second_rest) : 0;
    const unsigned long long first_rest = first_items - first_begin;
    const unsigned int most = count < first_rest ? count : static_cast<unsigned int>(first_rest);
    const unsigned long long found = storage.splits[1] < first_begin ? 0 : storage.splits[1] - first_begin;
    const unsigned int first_count = found < least ? least : found < most ? static_cast<unsigned int>(found) : most;