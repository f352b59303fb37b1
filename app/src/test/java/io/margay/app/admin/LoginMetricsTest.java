package io.margay.app.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.login.OpenIdLogins;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LoginMetricsTest {
    private static String text(List<OpenIdLogins.Reading> readings) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Metrics.write(readings.stream().flatMap(one -> one.meters().stream()).toList(), null, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void metrics_ofLogins_areOfEachProviderAndClient() throws IOException {
        assertEquals("", text(List.of()));
        String text =
                text(
                        List.of(
                                new OpenIdLogins.Reading(
                                        "https://p.example", "shop", 3, 2, 5, 1, 4, 2_500_000_000L),
                                new OpenIdLogins.Reading(
                                        "https://p.example", "news", 7, 0, 0, 0, 1, 1)));
        String shop = "{client=\"shop\",provider=\"https://p.example\"} ";
        for (String line :
                List.of(
                        "margay_openid_logins_total" + shop + "3.0\n",
                        "margay_openid_refusals_total" + shop + "2.0\n",
                        "margay_openid_renewals_total" + shop + "5.0\n",
                        "margay_openid_provider_errors_total" + shop + "1.0\n",
                        "margay_openid_provider_seconds_count" + shop + "4\n",
                        "margay_openid_provider_seconds_sum" + shop + "2.5\n",
                        "margay_openid_logins_total" + shop.replace("shop", "news") + "7.0\n")) {
            assertTrue(text.contains(line), line + text);
        }
    }
}
