/// The client of Valkey and Redis that engines share.
module io.margay.valkey {
    requires static org.jspecify;
    requires org.apache.commons.pool2;
    requires transitive redis.clients.jedis;

    exports io.margay.valkey;
}
