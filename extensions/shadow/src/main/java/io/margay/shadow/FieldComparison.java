package io.margay.shadow;

import io.margay.gateway.mirror.CompareConfig;
import io.margay.protocol.http.FieldList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/// Compares the fields of two answers, but for `Set-Cookie`. Immutable.
final class FieldComparison {
    /// What is of one connection, one moment or one product.
    private static final Set<String> NOT_COMPARED =
            Set.of(
                    "age",
                    "alt-svc",
                    "connection",
                    "content-length", // as the content is compared itself
                    "date",
                    "etag", // each server makes its own
                    "keep-alive",
                    "server",
                    "set-cookie",
                    "transfer-encoding",
                    "via",
                    "x-powered-by",
                    "x-request-id");

    /// Lists whose order says nothing.
    private static final Set<String> UNORDERED =
            Set.of(
                    "access-control-allow-headers",
                    "access-control-allow-methods",
                    "access-control-expose-headers",
                    "allow",
                    "cache-control",
                    "vary");

    private final Set<String> ignored;

    FieldComparison(CompareConfig config) {
        Set<String> names = new TreeSet<>(NOT_COMPARED);
        names.removeAll(lower(config.include()));
        names.addAll(lower(config.ignore()));
        names.add("set-cookie");
        ignored = Set.copyOf(names);
    }

    private static List<String> lower(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    void compare(FieldList old, FieldList fresh, Found found) {
        Set<String> names = new TreeSet<>(lower(List.copyOf(old.names())));
        names.addAll(lower(List.copyOf(fresh.names())));
        names.removeAll(ignored);
        for (String name : names) {
            String left = value(old, name);
            String right = value(fresh, name);
            if (left.equals(right)) {
                continue;
            }
            Kind kind =
                    !fresh.contains(name)
                            ? Kind.FIELD_MISSING
                            : old.contains(name) ? Kind.FIELD_VALUE : Kind.FIELD_ADDED;
            if (Shown.isSecret(name)) {
                if (kind != Kind.FIELD_VALUE) {
                    found.addSecret(kind, name, "(not shown)");
                }
            } else {
                found.add(kind, name, Shown.url(left), Shown.url(right));
            }
        }
    }

    /// What a field says, whichever way it is written.
    private static String value(FieldList fields, String name) {
        String value = String.join(", ", fields.all(name)).strip();
        if (UNORDERED.contains(name)) {
            return String.join(", ", sorted(parts(value.toLowerCase(Locale.ROOT), ',')));
        }
        return switch (name) {
            case "content-type" -> type(value);
            case "location", "content-location", "refresh", "link" -> Shown.withoutSessions(value);
            default -> value;
        };
    }

    /// A media type: neither case nor order of its parameters nor quotes say anything.
    private static String type(String value) {
        List<String> parts = parts(value.toLowerCase(Locale.ROOT).replace("\"", ""), ';');
        if (parts.isEmpty()) {
            return "";
        }
        List<String> parameters = new ArrayList<>(sorted(parts.subList(1, parts.size())));
        parameters.addFirst(parts.getFirst());
        return String.join(";", parameters);
    }

    private static Collection<String> sorted(List<String> parts) {
        return new TreeSet<>(parts);
    }

    private static List<String> parts(String value, char by) {
        List<String> parts = new ArrayList<>();
        for (String part : value.split(String.valueOf(by), -1)) {
            if (!part.isBlank()) {
                parts.add(part.strip());
            }
        }
        return parts;
    }
}
