package io.margay.app.agreement.member;

import java.util.List;

/// What a member answers. Immutable.
///
/// @param fields as lines
/// @param chunked whether it is sent without its length
record MemberReply(int status, List<String> fields, String content, boolean chunked) {
    MemberReply {
        fields = List.copyOf(fields);
    }

    static MemberReply of(int status, String content, String... fields) {
        return new MemberReply(status, List.of(fields), content, false);
    }

    boolean hasContent(String method) {
        return !method.equals("HEAD") && status != 101 && status != 204 && status != 304;
    }
}
