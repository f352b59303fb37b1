package io.margay.app.shadow;

import io.margay.app.MargayServer;
import io.margay.app.admin.UpstreamReading;
import io.margay.app.cli.Arguments;
import io.margay.app.cli.UsageException;
import io.margay.gateway.mirror.MirrorReading;
import java.net.URI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An old and a new server, and where clients come to. Immutable.
///
/// @param listen address as a margay.yaml has it
record ServerPair(String listen, String old, String fresh) {
    /// What each of the commands is called with.
    static final String OPERANDS = "[LISTEN] OLD-URL NEW-URL";

    static final String DEFAULT = "8080";

    private static final Pattern URL = Pattern.compile("(https?|ajp)://[^\"\\\\\\p{Cntrl}]+");

    private static final Pattern PORT = Pattern.compile("^[a-z]+://[^/]*:([0-9]{1,5})(?:/|$)");

    /// Where a new server is that is yet to start.
    static final String NOT_YET = "http://127.0.0.1:1";

    /// What a command line says.
    ///
    /// @param command its name and operands
    static ServerPair of(String command, Arguments arguments, ListenReader reader)
            throws UsageException {
        List<String> words = arguments.operands();
        if (words.size() < 2 || words.size() > 3) {
            throw new UsageException("write \"margay " + command + "\"");
        }
        return new ServerPair(
                words.size() == 2 ? DEFAULT : reader.read(words.getFirst()),
                url(words.get(words.size() - 2)),
                url(words.getLast()));
    }

    /// What a command line says that may leave out the new server, which is [#NOT_YET] then.
    ///
    /// @param listen where clients come to unless it says so
    static ServerPair maybeAlone(
            String command, Arguments arguments, ListenReader reader, String listen)
            throws UsageException {
        List<String> words = arguments.operands();
        if (words.isEmpty() || words.size() > 3) {
            throw new UsageException("write \"margay " + command + "\"");
        }
        boolean said = !URL.matcher(words.getFirst()).matches() && words.size() > 1;
        List<String> urls = said ? words.subList(1, words.size()) : words;
        if (urls.size() > 2) {
            throw new UsageException("write \"margay " + command + "\"");
        }
        return new ServerPair(
                said ? reader.read(words.getFirst()) : listen,
                url(urls.getFirst()),
                urls.size() == 1 ? NOT_YET : url(urls.getLast()));
    }

    /// The same with the new server, which has started.
    ServerPair with(String url) {
        return new ServerPair(listen, old, url);
    }

    /// The port of the old server, as its URL has it.
    int port() {
        Matcher found = PORT.matcher(old);
        return found.find() ? Integer.parseInt(found.group(1)) : old.startsWith("https") ? 443 : 80;
    }

    /// The port of the old server, which a new one can be set beside.
    int oldPort() throws UsageException {
        URI uri;
        try {
            uri = URI.create(old);
        } catch (IllegalArgumentException e) {
            throw new UsageException("\"" + old + "\" is not a URL: " + e.getMessage());
        }
        if (!uri.getScheme().equals("http")) {
            throw new UsageException(
                    "a new server is started for an OLD-URL with http alone: start it yourself and"
                            + " name it as NEW-URL");
        }
        return port();
    }

    private static String url(String text) throws UsageException {
        if (!URL.matcher(text).matches()) {
            throw new UsageException("\"" + text + "\" is not a URL, as in http://127.0.0.1:9000");
        }
        return text;
    }

    /// The margay.yaml of a server in front of both.
    ///
    /// @param route keys of its only route
    String yaml(String route) {
        return """
        listeners: [{http: "%s"}]
        hosts: [{routes: {/*: {%s}}}]
        upstreams:
          old: {members: [{url: "%s"}]}
          new: {members: [{url: "%s"}]}
        """
                .formatted(listen, route, old, fresh);
    }

    /// How the mirror of such a server does; null = it has none.
    static @Nullable MirrorReading mirror(MargayServer server) {
        return old(server).divided().mirrors().stream().findFirst().orElse(null);
    }

    /// How the old server does.
    static UpstreamReading old(MargayServer server) {
        return server.site().upstreams().stream()
                .filter(upstream -> upstream.name().equals("old"))
                .findFirst()
                .orElseThrow();
    }
}
