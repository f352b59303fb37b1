package io.margay.protocol.caching;

import io.margay.protocol.http.AcceptEncoding;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/// What of a request a stored response depends on (RFC 9111 §4.1): the fields that `Vary` names, in
/// a form that is the same for requests that ask for the same. Immutable.
///
/// @param names of fields, in lower case and sorted
/// @param values of them in the request that the response answers; empty for one that is not there
public record Vary(List<String> names, List<String> values) {
    /// For all requests.
    public static final Vary NOTHING = new Vary(List.of(), List.of());

    /// Content codings that are told apart.
    private static final List<String> CODINGS =
            List.of("br", "compress", "dcb", "dcz", "deflate", "gzip", "identity", "zstd");

    public Vary {
        names = List.copyOf(names);
        values = List.copyOf(values);
    }

    /// Whether a response is for no other request.
    public static boolean isAny(FieldList response) {
        return members(response.all("Vary")).contains("*");
    }

    /// What a response depends on.
    public static Vary of(FieldList response, Fields request) {
        List<String> lines = response.all("Vary");
        if (lines.isEmpty()) {
            return NOTHING;
        }
        List<String> names = List.copyOf(new TreeSet<>(members(lines)));
        return new Vary(names, names.stream().map(name -> value(name, request)).toList());
    }

    /// Whether it is for a request.
    public boolean matches(Fields request) {
        for (int i = 0; i < names.size(); i++) {
            if (!values.get(i).equals(value(names.get(i), request))) {
                return false;
            }
        }
        return true;
    }

    private static List<String> members(List<String> lines) {
        List<String> members = new ArrayList<>(2);
        for (String line : lines) {
            for (String member : line.split(",", -1)) {
                if (!member.isBlank()) {
                    members.add(member.strip().toLowerCase(Locale.ROOT));
                }
            }
        }
        return members;
    }

    private static String value(String name, Fields request) {
        if (!request.contains(name)) {
            return "";
        }
        return switch (name) {
            case "accept-encoding" -> codings(request);
            case "accept-language" -> String.join(",", new TreeSet<>(members(request.all(name))));
            default -> joined(request.all(name));
        };
    }

    /// The codings that a client accepts, whatever order and preference it says, so that few
    /// variants are made of many spellings.
    private static String codings(Fields request) {
        StringBuilder accepted = new StringBuilder("=");
        for (String coding : CODINGS) {
            if (AcceptEncoding.quality(request, coding) > 0) {
                accepted.append(coding).append(' ');
            }
        }
        return accepted.toString();
    }

    private static String joined(List<String> lines) {
        StringBuilder joined = new StringBuilder("=");
        for (String line : lines) {
            for (String member : line.split(",", -1)) {
                joined.append(member.strip()).append(',');
            }
        }
        return joined.toString();
    }
}
