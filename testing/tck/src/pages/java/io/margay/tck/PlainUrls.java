package io.margay.tck;

import com.sun.ts.lib.porting.TSURLInterface;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;

/// How the Pages suite builds the URLs that it asks for: as they stand. Stateless.
public final class PlainUrls implements TSURLInterface {
    @Override
    public URL getURL(String protocol, String host, int port, String file)
            throws MalformedURLException {
        return URI.create(getURLString(protocol, host, port, file)).toURL();
    }

    @Override
    public String getURLString(String protocol, String host, int port, String file) {
        return protocol + "://" + host + ":" + port + (file.startsWith("/") ? "" : "/") + file;
    }

    @Override
    public String getRequest(String request) {
        return request;
    }
}
