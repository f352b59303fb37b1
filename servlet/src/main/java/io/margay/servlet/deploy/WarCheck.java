package io.margay.servlet.deploy;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides from its table of contents whether a WAR may be unpacked at all. One wrong entry refuses
/// the whole WAR: who wrote it either meant harm or made an archive that unpacks differently
/// elsewhere. Stateless.
final class WarCheck {
    private WarCheck() {}

    /// What is wrong, with the entry's name, or null.
    static @Nullable String fault(List<ZipDirectory.Entry> entries, WarLimits limits) {
        Set<String> files = new HashSet<>();
        Set<String> folders = new HashSet<>();
        Map<String, String> exact = new HashMap<>();
        for (ZipDirectory.Entry entry : entries) {
            String fault = nameFault(entry.name(), limits);
            if (fault == null) {
                fault = kindFault(entry);
            }
            if (fault == null) {
                fault = clash(entry, files, folders, exact);
            }
            if (fault != null) {
                return "entry \"" + printable(entry.name()) + "\" " + fault;
            }
        }
        return null;
    }

    private static @Nullable String kindFault(ZipDirectory.Entry entry) {
        if (entry.link()) {
            return "is a symbolic link";
        }
        if (entry.special()) {
            return "is neither a file nor a folder";
        }
        return entry.encrypted() ? "is encrypted" : null;
    }

    private static @Nullable String nameFault(String name, WarLimits limits) {
        if (name.isEmpty()) {
            return "has no name";
        }
        if (name.length() > limits.nameCharsMax()) {
            return "has a name of more than "
                    + limits.nameCharsMax()
                    + " characters (nameCharsMax)";
        }
        if (name.startsWith("/")) {
            return "has an absolute path";
        }
        if (name.indexOf('\\') >= 0) {
            return "contains a backslash";
        }
        if (name.indexOf(':') >= 0) {
            return "contains a colon";
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                return "contains a control character";
            }
        }
        String path = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
        for (String segment : path.split("/", -1)) {
            if (segment.equals("..")) {
                return "leads out of the application (..)";
            }
            if (segment.isEmpty() || segment.equals(".")) {
                return "has an empty segment or a dot in its path";
            }
        }
        return null;
    }

    private static @Nullable String clash(
            ZipDirectory.Entry entry,
            Set<String> files,
            Set<String> folders,
            Map<String, String> exact) {
        String name = entry.name();
        String path = entry.isFolder() ? name.substring(0, name.length() - 1) : name;
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            String parent = path.substring(0, slash);
            String fault = caseClash(parent, exact);
            if (fault != null) {
                return fault;
            }
            if (files.contains(parent)) {
                return "lies below a file";
            }
            folders.add(parent);
        }
        String fault = caseClash(path, exact);
        if (fault != null) {
            return fault;
        }
        if (entry.isFolder()) {
            folders.add(path);
            return files.contains(path) ? "is both a file and a folder" : null;
        }
        if (folders.contains(path)) {
            return "is both a file and a folder";
        }
        return files.add(path) ? null : "occurs twice";
    }

    private static @Nullable String caseClash(String path, Map<String, String> exact) {
        String folded =
                Normalizer.normalize(path, Normalizer.Form.NFC)
                        .toUpperCase(Locale.ROOT)
                        .toLowerCase(Locale.ROOT);
        String before = exact.putIfAbsent(folded, path);
        return before == null || before.equals(path)
                ? null
                : "differs only in case from \"" + before + "\"";
    }

    /// A name fit for a log line.
    static String printable(String name) {
        StringBuilder text = new StringBuilder();
        name.chars()
                .limit(200)
                .forEach(c -> {
                    if (Character.isISOControl(c)) {
                        text.append(String.format(Locale.ROOT, "\\u%04x", c));
                    } else {
                        text.append((char) c);
                    }
                });
        return text.toString();
    }
}
