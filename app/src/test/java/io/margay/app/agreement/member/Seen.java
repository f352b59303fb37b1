package io.margay.app.agreement.member;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/// A message in parts that can be compared: `status`, `line`, `field NAME`, `param NAME`,
/// `attribute NAME`, `content` and others, each with all its values in their order. Confined to one
/// thread at a time.
final class Seen {
    private final Map<String, List<String>> parts = new TreeMap<>();

    void add(String part, String value) {
        parts.computeIfAbsent(part, _ -> new ArrayList<>()).add(value);
    }

    void remove(String part) {
        parts.remove(part);
    }

    /// Lets one text stand for what every server makes otherwise.
    ///
    /// @param ending of the names of the parts
    void mask(String ending) {
        parts.replaceAll((part, all) -> part.endsWith(ending) ? List.of("made") : all);
    }

    /// All values of a part; empty where there is none.
    List<String> all(String part) {
        return parts.getOrDefault(part, List.of());
    }

    /// The first value of a part; empty where there is none.
    String one(String part) {
        List<String> all = all(part);
        return all.isEmpty() ? "" : all.getFirst();
    }

    /// The same with every value changed.
    Seen with(UnaryOperator<String> change) {
        Seen changed = new Seen();
        parts.forEach(
                (part, values) -> values.forEach(value -> changed.add(part, change.apply(value))));
        return changed;
    }

    /// The parts of which one has not what the other has.
    List<Difference> differences(String where, Seen other) {
        TreeSet<String> names = new TreeSet<>(parts.keySet());
        names.addAll(other.parts.keySet());
        List<Difference> found = new ArrayList<>();
        for (String name : names) {
            List<String> ours = other.all(name);
            if (!value(name).equals(other.value(name))) {
                found.add(new Difference(where, name, all(name), ours));
            }
        }
        return found;
    }

    /// All values, as one where that comes to the same.
    private String value(String part) {
        List<String> all = all(part);
        boolean list = part.startsWith("field ") && !part.equals("field set-cookie");
        return list && !all.isEmpty() ? "[" + String.join(", ", all) + "]" : all.toString();
    }

    @Override
    public String toString() {
        return parts.toString();
    }
}
