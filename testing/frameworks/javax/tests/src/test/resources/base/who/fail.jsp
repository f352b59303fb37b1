<% if (true) throw new javax.servlet.ServletException("no tea"); %>
