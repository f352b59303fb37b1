package io.margay.compat.tomcat.server;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The pattern of an `AccessLogValve` as a format of Margay's log, whose letters are httpd's: the
/// same letter often means another thing. Immutable.
///
/// @param format for [io.margay.server.log.LogFormat]
/// @param unknown letters that Tomcat does not know either, and writes as `???`
/// @param byVersion whether a letter stands in it that Tomcat 9 and later versions read differently
record AccessPattern(String format, List<String> unknown, boolean byVersion) {
    private static final String UNKNOWN = "???";

    AccessPattern {
        unknown = List.copyOf(unknown);
    }

    /// Translates a pattern.
    ///
    /// @param old whether Tomcat is 9 or before
    static AccessPattern of(String pattern, boolean old) {
        if (pattern.equals("common") || pattern.equals("combined")) {
            return new AccessPattern(pattern, List.of(), false);
        }
        return new Reading(pattern, old).read();
    }

    /// Left to right. Confined to one call.
    private static final class Reading {
        private final String pattern;
        private final boolean old;
        private final StringBuilder format = new StringBuilder();
        private final List<String> unknown = new ArrayList<>();
        private boolean byVersion;
        private int at;

        Reading(String pattern, boolean old) {
            this.pattern = pattern;
            this.old = old;
        }

        AccessPattern read() {
            while (at < pattern.length()) {
                char c = pattern.charAt(at++);
                if (c == '%' && at < pattern.length()) {
                    letter();
                } else {
                    literal(c);
                }
            }
            return new AccessPattern(format.toString(), unknown, byVersion);
        }

        private void literal(char c) {
            switch (c) {
                case '%' -> format.append("%%");
                case '\\' -> format.append("\\\\");
                case '\t' -> format.append("\\t");
                default -> format.append(c < 0x20 ? ' ' : c);
            }
        }

        private void letter() {
            int start = at - 1;
            int close = pattern.charAt(at) == '{' ? pattern.indexOf('}', at) : -1;
            String item;
            if (close > 0 && close + 1 < pattern.length()) {
                String name = pattern.substring(at + 1, close);
                at = close + 2;
                item = named(name, pattern.charAt(close + 1));
            } else {
                item = plain(pattern.charAt(at++));
            }
            if (item == null) {
                unknown.add(pattern.substring(start, at));
                format.append(UNKNOWN);
                if (close < 0) {
                    literal(pattern.charAt(at - 1));
                    format.append(UNKNOWN);
                }
            } else {
                format.append(item);
            }
        }

        private @Nullable String plain(char letter) {
            return switch (letter) {
                case 'a', 'A', 'b', 'B', 'h', 'H', 'l', 'm', 'p', 'q', 'r', 's', 't', 'u', 'v' ->
                        "%" + letter;
                case 'X' -> "%X";
                case '%' -> "%%";
                case 'D' -> byVersion("%{ms}T", "%D");
                case 'T' -> byVersion("%{s.ms}T", "%T");
                case 'F' -> "%{HEAD_MS}x";
                case 'I' -> "%{THREAD}x";
                case 'S' -> "%{SESSION_ID}x";
                case 'U' -> "%{REQUEST_PATH}x";
                default -> null;
            };
        }

        private String byVersion(String before, String since) {
            byVersion = true;
            return old ? before : since;
        }

        private @Nullable String named(String name, char letter) {
            return switch (letter) {
                case 'i', 'o' -> "%{" + name + "}" + letter;
                case 'c' -> "%{" + name + "}C";
                case 'a' -> name.equals("peer") ? "%{c}a" : "%a";
                case 'p' -> name.equals("remote") ? "%{remote}p" : "%{local}p";
                case 'r' -> "%{REQUEST:" + name + "}x";
                case 's' -> "%{SESSION:" + name + "}x";
                case 'L' -> name.equals("c") ? "%{CONNECTION_ID}x" : null;
                case 't' -> "%{" + time(name) + "}t";
                case 'T' -> duration(name);
                default -> null;
            };
        }

        /// The end of the request unless the start is asked for.
        private static String time(String name) {
            String edge = name.equals("begin") || name.startsWith("begin:") ? "begin:" : "end:";
            String bare = edge.substring(0, edge.length() - 1);
            String rest =
                    name.equals(bare)
                            ? ""
                            : name.startsWith(edge) ? name.substring(edge.length()) : name;
            return edge
                    + switch (rest) {
                        case "sec", "msec", "msec_frac" -> rest;
                        case "" -> "[%d/%b/%Y:%H:%M:%S %z]";
                        default -> "java:" + rest;
                    };
        }

        private static @Nullable String duration(String unit) {
            return switch (unit) {
                case "s", "ms", "us", "ns" -> "%{" + unit + "}T";
                case "fracsec" -> "%{s.us}T";
                default -> null;
            };
        }
    }
}
