package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.nio.file.Path;
import java.util.List;

/// What takes the place of this server's own page for an error. Immutable.
///
/// @param match which requests it is for; of several for a status the last counts
/// @param when what must also hold
/// @param order where it comes among what files such as `.htaccess` say, whose own have 1 and the
///   slashes in the path of their folder; 0 = before them
public record ErrorPage(
        PathMatch match, List<Condition> when, int status, Content content, int order) {
    /// Before what files in folders say.
    public ErrorPage(PathMatch match, List<Condition> when, int status, Content content) {
        this(match, when, status, content, 0);
    }

    public ErrorPage {
        when = List.copyOf(when);
    }

    /// One without conditions.
    public ErrorPage(PathMatch match, int status, Content content) {
        this(match, List.of(), status, content);
    }

    /// What is shown.
    public sealed interface Content {
        /// A text, as HTML.
        record Text(String text) implements Content {}

        /// A file, read again when it changes.
        ///
        /// @param path for which a client must be let in to see it; empty = everybody sees it
        record Page(Path file, String path) implements Content {}

        /// What the host has for another path, asked for by GET: a file, a program or a peer. Where
        /// that does not answer, or says no status itself, the error's own is sent.
        ///
        /// @param target path and query, encoded
        /// @param status what is sent, unless it redirects; [#OF_SERVERS], [#OF_PAGE]
        record Asked(String target, int status) implements Content {
            /// The error's, unless a server says another that is not behind FastCGI, as with httpd.
            public static final int OF_SERVERS = -1;

            /// That of what answers.
            public static final int OF_PAGE = 0;

            /// With [#OF_SERVERS].
            public Asked(String target) {
                this(target, OF_SERVERS);
            }
        }

        /// Another place, to which the client is redirected with 302.
        record Elsewhere(String url) implements Content {}

        /// This server's own page after all.
        record Own() implements Content {}
    }
}
