package io.margay.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A request as corpora of sites write it: `POST [Name: value] http://host/path <content`.
/// Immutable.
///
/// @param head its lines, the empty one left out
/// @param content empty = none
public record SiteRequest(String method, String head, String content) {
    private static final Pattern LINE =
            Pattern.compile(
                    "([A-Z]+) ((?:\\[[^]]+] )*)http://([^/ ]+)(/\\S*)(?: <(.*))?", Pattern.DOTALL);

    private static final Pattern FIELD = Pattern.compile("\\[([^]]+)] ");

    private static final int TIMEOUT_MILLIS = 20_000;

    /// @throws IllegalArgumentException for what is none
    public static SiteRequest of(String line) {
        Matcher request = LINE.matcher(line);
        if (!request.matches()) {
            throw new IllegalArgumentException(line);
        }
        StringBuilder head = new StringBuilder();
        head.append(request.group(1)).append(' ').append(request.group(4)).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(request.group(3)).append("\r\n");
        FIELD.matcher(request.group(2))
                .results()
                .forEach(field -> head.append(field.group(1)).append("\r\n"));
        String content = request.group(5);
        if (content != null) {
            head.append("Content-Length: ").append(content.length()).append("\r\n");
        }
        return new SiteRequest(request.group(1), head.toString(), content == null ? "" : content);
    }

    /// Asks a server at the loopback address.
    public RawHttpClient.Response ask(int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.timeout(TIMEOUT_MILLIS).send(head + "\r\n" + content);
            return client.response(method.equals("HEAD"));
        }
    }
}
