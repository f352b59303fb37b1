package io.margay.gateway.config;

import java.nio.file.Path;
import java.time.Duration;

/// Where peers of an upstream come from while it is at work. Immutable.
///
/// @param pattern what its peers are beside name, address and share
/// @param every how often it is looked at
/// @param drain how long a peer that is not named any more gets the requests of its sessions
/// @param hold how long the peers stay when the source says for certain that there are none
public record MemberSource(
        Place place, PeerConfig pattern, Duration every, Duration drain, Duration hold) {
    /// Where peers are named.
    public sealed interface Place {
        /// As the configuration says it, such as `file members.txt`.
        @Override
        String toString();
    }

    /// A file with a line for each peer.
    ///
    /// @param namesByRoute whether peers without a name are called by their routes
    public record MemberFile(Path path, boolean namesByRoute) implements Place {
        @Override
        public String toString() {
            return "file " + path;
        }
    }

    /// A peer of this source.
    ///
    /// @param path put before every request's path, empty or `/…`
    public PeerConfig member(String name, PeerAddress at, String path, PeerConfig.Share share) {
        return new PeerConfig(
                name,
                at,
                path,
                pattern.root(),
                share,
                pattern.pool(),
                pattern.timeouts(),
                pattern.ajp(),
                pattern.failures(),
                pattern.tls());
    }
}
