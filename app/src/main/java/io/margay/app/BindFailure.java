package io.margay.app;

import io.margay.app.config.ListenerSettings;
import java.net.BindException;

/// Why a listener cannot have its address, in words. Stateless.
final class BindFailure {
    private BindFailure() {}

    static String of(ListenerSettings settings, BindException e) {
        int port = settings.endpoint().port();
        String text = String.valueOf(e.getMessage());
        if (settings.endpoint().socket() != null) {
            return settings.scheme() + ": " + text;
        }
        if (text.contains("ermission")) {
            return "port "
                    + port
                    + " needs a privilege, as ports below 1024 do: give it to the"
                    + " server, or choose another port with --"
                    + settings.scheme()
                    + " [ADDR:]PORT or in the configuration file";
        }
        if (text.contains("assign")) {
            return "the address " + settings.endpoint().host() + " is not one of this machine";
        }
        return "port "
                + port
                + " is in use ("
                + settings.endpoint()
                + "). \"ss -ltnp sport = :"
                + port
                + "\" or \"lsof -i :"
                + port
                + "\" shows by which program; choose another with --"
                + settings.scheme()
                + " [ADDR:]PORT or in the configuration file";
    }
}
