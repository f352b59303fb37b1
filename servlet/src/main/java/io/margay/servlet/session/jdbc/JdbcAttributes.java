package io.margay.servlet.session.jdbc;

import io.margay.servlet.session.engine.ChangeFence;
import io.margay.servlet.session.engine.ChangeMark;
import io.margay.servlet.session.engine.ChangeOrigin;
import io.margay.servlet.session.engine.SessionChange;
import io.margay.servlet.session.engine.SessionKey;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The attributes of one session, in a transaction that has locked the session's row. A row without
/// content is the mark of an attribute that was removed. Used by one thread.
///
/// @param put the statement that adds an attribute or replaces it
record JdbcAttributes(JdbcTransaction in, SessionKey key, String put) {
    /// Removed attributes that are remembered; with one more all are forgotten.
    private static final long REMOVED_MAX = 64;

    private static final byte[] NOTHING = {};

    /// What is there.
    record Found(Map<String, byte[]> contents, Map<String, ChangeMark> marks) {
        Found() {
            this(new HashMap<>(), new HashMap<>());
        }

        void add(byte[] name, byte[] content, @Nullable String text) {
            String known = JdbcSchema.name(name);
            if (content.length > 0) {
                contents.put(known, content);
            }
            ChangeMark mark = text == null ? null : ChangeMark.of(text);
            if (mark != null) {
                marks.put(known, mark);
            }
        }
    }

    Found read() throws SQLException {
        Found all = new Found();
        try (PreparedStatement query =
                        in.prepare(
                                "SELECT name, content, mark FROM margay_session_attribute"
                                        + " WHERE application = ? AND id = ?",
                                key.application(),
                                key.id());
                ResultSet found = query.executeQuery()) {
            while (found.next()) {
                all.add(found.getBytes(1), found.getBytes(2), found.getString(3));
            }
        }
        return all;
    }

    /// Writes those of a change, but for what its fence leaves out.
    ///
    /// @param version that the session has by the change
    /// @return the names of what is left out
    Set<String> write(SessionChange change, long version, boolean isNew) throws SQLException {
        ChangeFence fence = change.fence();
        boolean fenced = !fence.writer().isEmpty();
        Set<String> removed = new HashSet<>(change.removed());
        Map<String, ChangeMark> marks = Map.of();
        if (!isNew && (change.whole() || (fenced && version - 1 > oldest(change)))) {
            Found there = read();
            marks = there.marks();
            if (change.whole()) {
                removed.addAll(there.contents().keySet());
                removed.removeAll(change.put().keySet());
            }
        }
        Set<String> late = new HashSet<>();
        List<Object[]> rows = new ArrayList<>();
        for (Map.Entry<String, byte[]> each : change.put().entrySet()) {
            if (fence.isLate(each.getKey(), marks.get(each.getKey()))) {
                late.add(each.getKey());
            } else {
                rows.add(row(each.getKey(), each.getValue(), fence, version));
            }
        }
        List<Object[]> gone = new ArrayList<>();
        for (String name : removed) {
            if (fence.isLate(name, marks.get(name))) {
                late.add(name);
            } else if (fenced) {
                rows.add(row(name, NOTHING, fence, version));
            } else {
                gone.add(new Object[] {key.application(), key.id(), JdbcSchema.bytes(name)});
            }
        }
        in.each(
                "DELETE FROM margay_session_attribute"
                        + " WHERE application = ? AND id = ? AND name = ?",
                gone);
        in.each(put, rows);
        if (fenced && !removed.isEmpty()) {
            forgetRemoved();
        }
        return late;
    }

    private Object[] row(String name, byte[] content, ChangeFence fence, long version) {
        String mark = fence.writer().isEmpty() ? "" : fence.mark(name, version).text();
        return new Object[] {key.application(), key.id(), JdbcSchema.bytes(name), content, mark};
    }

    /// The version that all of a change knew.
    private static long oldest(SessionChange change) {
        long oldest = change.fence().base().version();
        for (ChangeOrigin since : change.fence().since().values()) {
            oldest = Math.min(oldest, since.version());
        }
        return oldest;
    }

    private void forgetRemoved() throws SQLException {
        String rows =
                " FROM margay_session_attribute"
                        + " WHERE application = ? AND id = ? AND OCTET_LENGTH(content) = 0";
        Long removed = in.number("SELECT COUNT(*)" + rows, key.application(), key.id());
        if (removed != null && removed > REMOVED_MAX) {
            int _ = in.update("DELETE" + rows, key.application(), key.id());
        }
    }
}
