package io.margay.app.shadow;

import io.margay.app.MargayServer;
import io.margay.app.admin.UpstreamReading;
import io.margay.app.cli.Arguments;
import io.margay.app.cli.UsageException;
import io.margay.app.config.AjpSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.binding.YamlText;
import io.margay.gateway.mirror.MirrorReading;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An old and a new server, and where clients come to. Immutable.
///
/// @param listen address as a margay.yaml has it
/// @param secret of AJP13, which both get; null = none is known
record ServerPair(String listen, String old, String fresh, @Nullable String secret) {
    /// What each of the commands is called with.
    static final String OPERANDS = "[LISTEN] OLD-URL NEW-URL";

    static final String DEFAULT = "8080";

    private static final Pattern URL = Pattern.compile("(https?|ajp)://[^\"\\\\\\p{Cntrl}]+");

    private static final Pattern PORT = Pattern.compile("^[a-z]+://[^/]*:([0-9]{1,5})(?:/|$)");

    private static final Pattern LOOPBACK =
            Pattern.compile("https://(localhost|127\\.[0-9.]+|\\[::1])(:|/|$)");

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
                url(words.getLast()),
                null);
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
                urls.size() == 1 ? NOT_YET : url(urls.getLast()),
                null);
    }

    /// The same with the new server, which has started at a port of the loopback from the files of
    /// the old one, as it is configured.
    ServerPair with(ListenerSettings listener, int port) {
        AjpSettings ajp = listener.ajp();
        return new ServerPair(
                listen,
                old,
                listener.scheme() + "://127.0.0.1:" + port,
                ajp == null ? null : ajp.config().secret());
    }

    /// By what the old server is asked.
    String scheme() {
        return old.substring(0, old.indexOf(':'));
    }

    /// The port of the old server, as its URL has it.
    int port() {
        Matcher found = PORT.matcher(old);
        return found.find()
                ? Integer.parseInt(found.group(1))
                : switch (scheme()) {
                    case "https" -> 443;
                    case "ajp" -> 8009;
                    default -> 80;
                };
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
          old: {members: [{%s}]}
          new: {members: [{%s}]}
        """
                .formatted(listen, route, member(old), member(fresh));
    }

    /// No certificate is for the loopback.
    private String member(String url) {
        String known = secret;
        return "url: \""
                + url
                + "\""
                + (LOOPBACK.matcher(url).lookingAt() ? ", verify: false" : "")
                + (known == null ? "" : ", secret: " + YamlText.quote(known));
    }

    /// Without the secret.
    @Override
    public String toString() {
        return "ServerPair[" + listen + ", " + old + ", " + fresh + "]";
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
