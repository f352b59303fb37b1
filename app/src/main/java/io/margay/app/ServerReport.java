package io.margay.app;

import io.margay.app.acme.AcmeAnswers;
import io.margay.app.admin.LastReload;
import io.margay.app.admin.ManagedServer;
import io.margay.app.process.ControlSocket.Answer;
import io.margay.app.sight.SightText;
import io.margay.gateway.cache.CachePurge;
import io.margay.servlet.session.SessionTotals;
import java.util.ArrayList;
import java.util.List;

/// What a server does, as lines for those who run it. Stateless.
final class ServerReport {
    private static final String ACME = "acme ";

    private static final String PURGE = "purge ";

    private ServerReport() {}

    private static Answer purged(String words, MargayServer server) {
        try {
            int count = server.site().purge(CachePurge.of(List.of(words.split(" ", 2))));
            return new Answer(true, List.of(count + " URLs were removed"));
        } catch (IllegalArgumentException e) {
            return new Answer(false, List.of(String.valueOf(e.getMessage())));
        }
    }

    /// What a command of another process is answered.
    static Answer answer(String word, MargayServer server, ManagedServer control) {
        if (word.startsWith(ACME)) {
            return AcmeAnswers.of(server.listeners().own(), word.substring(ACME.length()));
        }
        if (word.startsWith(PURGE)) {
            return purged(word.substring(PURGE.length()), server);
        }
        if (SightText.knows(word)) {
            return SightText.answer(word, control);
        }
        return word.equals("status")
                ? new Answer(true, of(control, server.lines()))
                : new Answer(false, List.of("there is no such command: " + word));
    }

    private static String moved(SessionTotals totals) {
        return totals.restored() + totals.lost() == 0
                ? ""
                : ", restored " + totals.restored() + ", lost " + totals.lost();
    }

    /// @param listening the start-up lines of the listeners
    private static List<String> of(ManagedServer server, List<String> listening) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "Margay "
                        + server.version()
                        + ", process "
                        + ProcessHandle.current().pid()
                        + ", up "
                        + server.uptime().toSeconds()
                        + " s, "
                        + (server.isServing() ? "serving" : "not serving"));
        lines.addAll(listening);
        for (ManagedServer.App app : server.apps()) {
            String name = app.path().isEmpty() ? "/" : app.path();
            String version = app.version().isEmpty() ? "" : "##" + app.version();
            String host = app.host().isEmpty() ? "" : " of " + app.host();
            lines.add(
                    name
                            + version
                            + host
                            + ": "
                            + app.state().name().toLowerCase(java.util.Locale.ROOT)
                            + ", "
                            + app.sessions()
                            + " sessions"
                            + moved(app.totals())
                            + (app.failure() == null
                                    ? ""
                                    : "; last change failed: " + app.failure()));
        }
        LastReload reload = server.lastReload();
        if (reload != null) {
            lines.add(
                    "last reload "
                            + reload.when()
                            + ": "
                            + (reload.failure() == null ? "active" : reload.failure()));
        }
        return lines;
    }
}
