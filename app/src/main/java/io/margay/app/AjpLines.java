package io.margay.app;

import io.margay.app.config.AjpSettings;
import io.margay.protocol.ajp.AjpLimits;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a front end's configuration must say to reach an AJP13 listener: lines to paste. Stateless.
final class AjpLines {
    private static final String INDENT = "    ";
    private static final String HIDDEN = "(the secret of the configuration file)";

    private AjpLines() {}

    /// Lines for mod_jk and for mod_proxy_ajp, each after a line that says where it belongs.
    static List<String> of(InetSocketAddress address, AjpSettings settings) {
        String host =
                address.getAddress().isAnyLocalAddress()
                        ? "127.0.0.1"
                        : address.getAddress().getHostAddress();
        int packet = settings.config().limits().packetBytesMax();
        boolean large = packet != AjpLimits.PACKET_BYTES_DEFAULT;
        String secret = secret(settings);
        List<String> lines = new ArrayList<>();
        lines.add("for mod_jk, workers.properties:");
        lines.add(INDENT + "worker.list=margay");
        lines.add(INDENT + "worker.margay.type=ajp13");
        lines.add(INDENT + "worker.margay.host=" + host);
        lines.add(INDENT + "worker.margay.port=" + address.getPort());
        if (secret != null) {
            lines.add(INDENT + "worker.margay.secret=" + secret);
        }
        if (large) {
            lines.add(INDENT + "worker.margay.max_packet_size=" + packet);
        }
        lines.add("for mod_jk, httpd.conf:");
        lines.add(INDENT + "JkMount /* margay");
        lines.add("or for mod_proxy_ajp, httpd.conf:");
        if (large) {
            lines.add(INDENT + "ProxyIOBufferSize " + packet);
        }
        String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        lines.add(
                INDENT
                        + "ProxyPass \"/\" \"ajp://"
                        + shown
                        + ":"
                        + address.getPort()
                        + "/\""
                        + (secret == null ? "" : " secret=" + secret));
        return lines;
    }

    private static @Nullable String secret(AjpSettings settings) {
        String secret = settings.config().secret();
        return secret == null || settings.secretShown() ? secret : HIDDEN;
    }
}
