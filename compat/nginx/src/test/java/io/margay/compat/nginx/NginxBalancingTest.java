package io.margay.compat.nginx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.nginx.plan.NginxPlan;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HashKey;
import io.margay.gateway.config.UpstreamConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `upstream` blocks say of which member gets a request.
final class NginxBalancingTest {
    @TempDir Path folder;

    private NginxPlan plan(String method) throws IOException {
        String text =
                "http { upstream u { server 127.0.0.1:1; server 127.0.0.1:2; "
                        + method
                        + " } server { listen 80; location / { proxy_pass http://u; } } }\n";
        return NginxFiles.read(Files.writeString(folder.resolve("nginx.conf"), text));
    }

    @ParameterizedTest
    @CsvSource({
        "ip_hash;,client",
        "hash $remote_addr;,client",
        "hash $binary_remote_addr consistent;,client",
        "hash $uri consistent;,path",
        "hash $cookie_sid;,cookie sid",
        "hash $http_x_tenant;,header x-tenant",
    })
    void hash_isHashByTheSame(String method, String by) throws IOException {
        NginxPlan plan = plan(method);
        UpstreamConfig made = plan.upstreams().getFirst();
        assertEquals(BalanceMethod.HASH, made.method());
        assertEquals(HashKey.of(by), made.hashBy());
        assertTrue(isChanged(plan), "where a key leads, and for how long, is not nginx's");
    }

    @Test
    void hashOfMore_isToldAsDifferent() throws IOException {
        NginxPlan plan = plan("hash $scheme$request_uri;");
        assertEquals(BalanceMethod.REQUESTS, plan.upstreams().getFirst().method());
        assertTrue(isChanged(plan));
    }

    private static boolean isChanged(NginxPlan plan) {
        return plan.account().stream()
                .anyMatch(line ->
                        line.verdict() == Verdict.CHANGED && line.directive().endsWith("hash"));
    }
}
