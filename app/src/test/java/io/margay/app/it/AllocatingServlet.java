package io.margay.app.it;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The same as [FaultsServlet], and `GET alloc/N` takes N megabytes of the heap.
public final class AllocatingServlet extends FaultsServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String path = request.getPathInfo();
        if (!path.startsWith("/alloc/")) {
            super.doGet(request, response);
            return;
        }
        List<byte[]> held = new ArrayList<>();
        int megabytes = Integer.parseInt(path.substring("/alloc/".length()));
        for (int i = 0; i < megabytes; i++) {
            held.add(new byte[1 << 20]);
        }
        response.getWriter().println(held.size());
    }
}
