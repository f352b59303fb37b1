package io.margay.lab.generator;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.margay.lab.load.LoadJob;
import io.margay.lab.site.ShopApp;
import io.margay.lab.wire.Target;
import io.margay.lab.wire.TlsClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;

/// Logs users of the lab's shop in by its form, before a load. Stateless.
final class Logins {
    private static final int USERS = 20;
    private static final int MILLIS_MAX = 60_000;

    private record Answer(int status, String cookie, String content) {}

    private Logins() {}

    static boolean isOfUser(String path) {
        return path.startsWith(ShopApp.USER);
    }

    /// A path of a job as a target takes it: with the session and with compression, where it is one
    /// of a user.
    static String path(String path, String session) {
        return isOfUser(path)
                ? Target.with(
                        Map.of("cookie", session, "accept-encoding", "gzip"),
                        path.substring(ShopApp.USER.length()))
                : path;
    }

    /// The cookies of users who have logged in.
    static List<String> of(LoadJob job, @Nullable TlsClient tls) throws IOException {
        List<String> sessions = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            Answer form = ask(job, tls, ShopApp.ACCOUNT, "", "");
            Answer login = ask(job, tls, ShopApp.LOGIN, form.cookie, ShopApp.CREDENTIALS);
            Answer account = ask(job, tls, ShopApp.ACCOUNT, login.cookie, "");
            if (!form.content.contains("j_security_check")
                    || account.status != HttpURLConnection.HTTP_OK
                    || !account.content.contains(ShopApp.ACCOUNT_TITLE)) {
                throw new IOException(
                        "nobody can log in to the shop: %d, %d, %d"
                                .formatted(form.status, login.status, account.status));
            }
            sessions.add(account.cookie);
        }
        return List.copyOf(sessions);
    }

    private static Answer ask(
            LoadJob job, @Nullable TlsClient tls, String path, String cookie, String form)
            throws IOException {
        URI uri =
                URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + job.port() + path);
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        if (tls != null && connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(tls.sockets());
        }
        connection.setInstanceFollowRedirects(false);
        connection.setReadTimeout(MILLIS_MAX);
        if (!cookie.isEmpty()) {
            connection.setRequestProperty("Cookie", cookie);
        }
        if (!form.isEmpty()) {
            connection.setDoOutput(true);
            connection.getOutputStream().write(form.getBytes(UTF_8));
        }
        int status = connection.getResponseCode();
        String set = connection.getHeaderField("Set-Cookie");
        try (InputStream in =
                status < HttpURLConnection.HTTP_BAD_REQUEST
                        ? connection.getInputStream()
                        : InputStream.nullInputStream()) {
            String content = new String(in.readAllBytes(), UTF_8);
            return new Answer(status, set == null ? cookie : set.split(";")[0], content);
        }
    }
}
