package io.margay.compat.tomcat.removed;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.Locale;

/// `HttpUtils` of Servlet 2.0. Stateless.
@SuppressWarnings("JdkObsolete") // Its types are what applications were compiled with.
public class HttpQueries {
    /// The fields of a query.
    ///
    /// @throws IllegalArgumentException when there is none, or it is none
    public static Hashtable<String, String[]> parseQueryString(String query) {
        if (query == null) {
            throw new IllegalArgumentException("there is no query");
        }
        Hashtable<String, String[]> fields = new Hashtable<>();
        for (String field : query.split("&")) {
            if (field.isEmpty()) {
                continue;
            }
            int equals = field.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("a field without a value: " + field);
            }
            String name = decoded(field.substring(0, equals));
            String value = decoded(field.substring(equals + 1));
            fields.merge(name, new String[] {value}, HttpQueries::joined);
        }
        return fields;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.ISO_8859_1);
    }

    private static String[] joined(String[] first, String[] second) {
        String[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /// The fields of a form.
    ///
    /// @throws IllegalArgumentException when less than `length` bytes come
    public static Hashtable<String, String[]> parsePostData(int length, ServletInputStream in) {
        if (length <= 0) {
            return new Hashtable<>();
        }
        if (in == null) {
            throw new IllegalArgumentException("there is no content");
        }
        try {
            byte[] content = in.readNBytes(length);
            if (content.length < length) {
                throw new IllegalArgumentException("the content is shorter than it says");
            }
            return parseQueryString(new String(content, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /// The address of a request, without its query.
    public static StringBuffer getRequestURL(HttpServletRequest request) {
        String scheme = request.getScheme();
        int port = request.getServerPort();
        StringBuffer url = new StringBuffer(scheme).append("://").append(request.getServerName());
        int usual =
                switch (scheme.toLowerCase(Locale.ROOT)) {
                    case "http" -> 80;
                    case "https" -> 443;
                    default -> port;
                };
        if (port != usual) {
            url.append(':').append(port);
        }
        return url.append(request.getRequestURI());
    }
}
