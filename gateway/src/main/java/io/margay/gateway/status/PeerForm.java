package io.margay.gateway.status;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.PeerConfig;
import java.util.List;
import java.util.Map;

/// What stands in jkstatus' form for a member, by the names of the parameters of `update`.
/// Immutable.
///
/// @param shown as mod_jk's status has it
record PeerForm(Peer peer, Map<String, String> shown) {
    /// What a member may be used for, in the order of its numbers.
    static final List<String> ACTIVATIONS = List.of("Active", "Disabled", "Stopped");

    /// The number of what it is used for.
    int activation() {
        return List.of(Activation.ACTIVE, Activation.DISABLED, Activation.STOPPED)
                .indexOf(peer.activation());
    }

    /// What an aspect is now.
    String value(String aspect) {
        PeerConfig config = peer.config();
        return switch (aspect) {
            case "vwf" -> shown("lbfactor");
            case "vwn" -> config.share().route();
            case "vwr" -> config.share().redirect();
            case "vwc" -> config.share().domain();
            case "vwd" -> Integer.toString(config.share().distance());
            case "vacpt" -> shown("connection_pool_timeout");
            case "vapng" -> shown("ping_timeout");
            case "vact" -> shown("connect_timeout");
            case "vapt" -> shown("prepost_timeout");
            case "vart" -> shown("reply_timeout");
            case "var" -> shown("retries");
            case "vari" -> Long.toString(config.failures().retryInterval().toMillis());
            case "vacpi" -> shown("connection_ping_interval");
            case "varo" -> shown("recovery_options");
            case "vabl" -> shown("busy_limit");
            case "vamps" -> shown("max_packet_size");
            default -> throw new IllegalStateException(aspect);
        };
    }

    private String shown(String name) {
        return shown.getOrDefault(name, "");
    }
}
