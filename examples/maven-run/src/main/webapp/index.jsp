<!DOCTYPE html>
<title>Shop</title>
<p>${pageContext.session.isNew() ? "Welcome." : "Welcome back."} <a href="visits">Your visits</a></p>
