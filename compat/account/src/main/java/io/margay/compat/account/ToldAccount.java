package io.margay.compat.account;

import java.util.List;

/// What has become of each directive of some files. Immutable but for what [Meeting] says.
///
/// @param lines one or more for each directive
/// @param meeting which of them requests meet
public record ToldAccount(List<AccountLine> lines, Meeting meeting) {
    public ToldAccount {
        lines = List.copyOf(lines);
    }
}
