package io.margay.servlet.settings;

import java.nio.file.Path;
import java.util.List;

/// Which libraries of an application are looked through for what they declare. A library that is
/// skipped stays on the class path. Immutable.
///
/// @param features for web fragments, annotations, classes that initializers handle, and files in
///   `META-INF/resources`
/// @param tagLibraries for tag libraries
/// @param shared whether the libraries that all applications share are looked through for classes
///   that initializers handle, tag libraries and files in `META-INF/resources`, too
/// @param folders whether tag libraries are looked for in folders of classes
public record LibraryScan(Names features, Names tagLibraries, boolean shared, boolean folders) {
    /// Everything is looked through.
    public static final LibraryScan ALL = of(Names.ALL);

    /// The same libraries for everything.
    public static LibraryScan of(Names names) {
        return new LibraryScan(names, names, true, true);
    }

    /// Libraries by their file names. In a pattern `*` stands for any characters and `?` for one;
    /// the case of letters counts.
    ///
    /// @param skip patterns of those that are skipped
    /// @param scan patterns of those that are looked through
    /// @param byDefault whether a library is looked through that neither matches, so that `scan`
    ///   counts before `skip`; false = `skip` counts before `scan`
    public record Names(List<String> skip, List<String> scan, boolean byDefault) {
        /// All of them are looked through.
        public static final Names ALL = new Names(List.of(), List.of(), true);

        public Names {
            skip = List.copyOf(skip);
            scan = List.copyOf(scan);
        }

        /// Whether a library is looked through.
        ///
        /// @param file its name without a folder
        public boolean has(String file) {
            return byDefault
                    ? !matches(skip, file) || matches(scan, file)
                    : matches(scan, file) && !matches(skip, file);
        }

        /// The same of a library where it is.
        public boolean has(Path library) {
            return has(library.getFileName().toString());
        }

        private static boolean matches(List<String> patterns, String file) {
            return patterns.stream().anyMatch(pattern -> matches(pattern, file));
        }

        /// Returns to the last star alone, so that no pattern takes longer than the product of both
        /// lengths.
        private static boolean matches(String pattern, String file) {
            int at = 0;
            int star = -1;
            int from = 0;
            int i = 0;
            while (i < file.length()) {
                char wanted = at < pattern.length() ? pattern.charAt(at) : 0;
                if (wanted == '*') {
                    star = at++;
                    from = i;
                } else if (at < pattern.length() && (wanted == '?' || wanted == file.charAt(i))) {
                    at++;
                    i++;
                } else if (star >= 0) {
                    at = star + 1;
                    i = ++from;
                } else {
                    return false;
                }
            }
            return pattern.substring(at).chars().allMatch(rest -> rest == '*');
        }
    }
}
