package io.margay.gateway.balance;

import io.margay.gateway.config.Activation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the choice of a peer for one request depends on. Immutable.
///
/// @param sessions session ids that the request carries, with route suffix, most telling first;
///   [io.margay.gateway.protocol.SessionIds] finds them
/// @param tried peers that have failed this request; empty again = another round
/// @param stateless whether this request makes no session, whatever it looks like (mod_jk's
///   `stateless`)
/// @param ignoreSessions whether its sessions do not count (`sticky_ignore`)
/// @param forcedRoute the route it must take (`JK_ROUTE`), or null
/// @param activations by name of the peer what this request's rule says instead of the peer's own
///   activation
/// @param key of what requests that belong together have in common, for [ByHash]; 0 = nothing
public record Selection(
        List<String> sessions,
        List<Peer> tried,
        boolean stateless,
        boolean ignoreSessions,
        @Nullable String forcedRoute,
        Map<String, Activation> activations,
        long key) {
    /// A peer chosen for a request.
    ///
    /// @param sticky whether the request's session led to it
    public record Choice(Peer peer, boolean sticky) {}

    /// A request without a session, offered for the first time.
    public static final Selection FIRST =
            new Selection(List.of(), List.of(), false, false, null, Map.of(), 0);

    /// What `peer` is used for as this request sees it (sent to it as `JK_LB_ACTIVATION`).
    public Activation activation(Peer peer) {
        if (activations.isEmpty()) {
            return peer.activation();
        }
        Activation ruled = activations.get(peer.config().name());
        return ruled == null ? peer.activation() : ruled;
    }
}
