package io.margay.app.agreement.member;

import io.margay.app.agreement.member.Fronts.Named;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Configurations without some of their lines. Stateless.
final class Lines {
    private Lines() {}

    /// A case without the lines that are named; of a section that is named nothing is left.
    static MemberCase without(MemberCase made, List<Named> named) {
        Map<String, String> files = new LinkedHashMap<>(made.files());
        TreeSet<Integer> ofHost = new TreeSet<>();
        for (Named line : named) {
            if (line.file().isEmpty()) {
                ofHost.add(line.line());
            }
        }
        for (String file : made.files().keySet()) {
            TreeSet<Integer> ofFile = new TreeSet<>();
            named.stream()
                    .filter(line -> line.file().equals(file))
                    .forEach(line -> ofFile.add(line.line()));
            List<String> left = without(files.get(file).lines().toList(), ofFile);
            files.put(file, left.isEmpty() ? "" : String.join("\n", left) + "\n");
        }
        return made.withLines(without(made.lines(), ofHost)).withFiles(files);
    }

    /// @param dropped lines from 0
    static List<String> without(List<String> lines, TreeSet<Integer> dropped) {
        List<String> left = new ArrayList<>();
        int inside = 0;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            boolean opens = line.startsWith("<") && !line.startsWith("</");
            if (inside > 0) {
                inside += opens ? 1 : line.startsWith("</") ? -1 : 0;
            } else if (dropped.contains(i) && opens) {
                inside = 1;
            } else if (!dropped.contains(i)) {
                left.add(lines.get(i));
            }
        }
        return left;
    }
}
