package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.gateway.access.match.Network;
import io.margay.gateway.rules.ClientAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Where clients are behind other proxies: `set_real_ip_from` and its like. Confined to one
/// reading.
final class ClientReader {
    private final Reading reading;

    ClientReader(Reading reading) {
        this.reading = reading;
    }

    /// From whom a server believes where its clients are; null = nobody.
    ///
    /// @param inner its locations, which have to say the same
    @Nullable ClientAddress of(Scope server, List<Scope> inner) {
        for (Scope one : inner) {
            for (String name : List.of("set_real_ip_from", "real_ip_header", "real_ip_recursive")) {
                if (!one.equals(server)) {
                    one.own(name).forEach(node -> reading.wrong(node, "is read for servers alone"));
                }
            }
        }
        List<NginxNode> nodes = server.nearest("set_real_ip_from");
        NginxNode field = server.last("real_ip_header");
        boolean recursive = server.isOn("real_ip_recursive", false);
        List<String> trusted = new ArrayList<>();
        for (NginxNode node : nodes) {
            String word = node.word(0);
            if (word.equals("unix:")) {
                reading.noted(node, "clients come by TCP");
            } else if (Network.parse(word).isPresent()) {
                trusted.add(word);
            } else {
                reading.wrong(node, "is translated for addresses and networks: \"" + word + "\"");
            }
        }
        String name = field == null ? "X-Real-IP" : field.word(0);
        if (name.toLowerCase(Locale.ROOT).equals("proxy_protocol")) {
            if (field != null) {
                reading.wrong(field, "proxy_protocol is not translated");
            }
            return null;
        }
        return trusted.isEmpty()
                ? null
                : new ClientAddress(name, List.of(), trusted, null, recursive ? 0 : 1, true);
    }
}
